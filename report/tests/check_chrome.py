"""check_chrome.py SCHEMA TRACE: does a Chrome trace obey the schema, and does it make sense?

Prints "PROCESSES MESSAGES NANOSECONDS" and ends with 0, or says what is wrong and ends with 1. Knows the words of JSON
Schema that trace_chrome.schema.json uses, and refuses others."""
import json
import sys

KINDS = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float)}
KNOWN = {"$schema", "title", "type", "required", "additionalProperties", "properties", "enum", "const", "items", "anyOf",
         "$ref", "definitions", "minimum"}


def wrong(schema, value, root, at):
    """None, or what about `value` does not obey."""
    if set(schema) - KNOWN:
        return f"{at}: the schema uses {set(schema) - KNOWN}"
    if "$ref" in schema:
        return wrong(root["definitions"][schema["$ref"].split("/")[-1]], value, root, at)
    if "anyOf" in schema:
        found = [wrong(one, value, root, at) for one in schema["anyOf"]]
        return None if None in found else f"{at}: {value} is none of them: {found}"
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        return f"{at}: {value}"
    if "type" in schema and (not isinstance(value, KINDS[schema["type"]]) or isinstance(value, bool)):
        return f"{at}: {value} is no {schema['type']}"
    if "minimum" in schema and value < schema["minimum"]:
        return f"{at}: {value} is below {schema['minimum']}"
    for name in schema.get("required", []):
        if name not in value:
            return f"{at}: no {name}"
    for name, part in value.items() if isinstance(value, dict) else []:
        inner = schema.get("properties", {}).get(name)
        if inner is None and schema.get("additionalProperties") is False:
            return f"{at}: unknown {name}"
        message = wrong(inner, part, root, f"{at}.{name}") if inner is not None else None
        if message:
            return message
    for i, part in enumerate(value) if "items" in schema else []:
        message = wrong(schema["items"], part, root, f"{at}[{i}]")
        if message:
            return message
    return None


def nanoseconds(event, name):
    return round(event[name] * 1000)


def check(schema, trace):
    message = wrong(schema, trace, schema, "trace")
    if message:
        sys.exit(message)
    tracks, starts, finishes = {}, {}, {}
    for event in trace["traceEvents"]:
        track = (event["pid"], event["tid"])
        if event["ph"] == "M" and event["name"] == "thread_name":
            tracks[track] = []
        elif event["ph"] == "X":
            tracks[track].append((nanoseconds(event, "ts"), nanoseconds(event, "ts") + nanoseconds(event, "dur")))
        elif event["ph"] in "sf":
            ends = starts if event["ph"] == "s" else finishes
            if event["id"] in ends:
                sys.exit(f"two ends of message {event['id']}")
            ends[event["id"]] = (track, nanoseconds(event, "ts"))
    end = max(slices[-1][1] for slices in tracks.values())
    for track, slices in tracks.items():
        edges = [0] + [to for _, to in slices]
        if [begin for begin, _ in slices] + [end] != edges:
            sys.exit(f"track {track} has gaps or overlaps, or does not reach the end")
    if set(starts) != set(finishes):
        sys.exit("a message without an end")
    for number, (track, time) in starts.items():
        if track == finishes[number][0] or time > finishes[number][1] or finishes[number][1] > end:
            sys.exit(f"message {number} goes backwards")
    print(len(tracks), len(starts), end)


check(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))
