# awk -f check_paje.awk TRACE: reads a Paje trace by the definitions in its own header, as a viewer does, and checks it.
# Prints "PROCESSES MESSAGES NANOSECONDS" and ends with 0, or says what is wrong and ends with 1.
#
# Checked: every event has the fields that its definition names; types, containers and values are defined before they
# are used; the time never goes back; a state is of its container's type; links begin before they end, each once.

function wrong(text) { print FILENAME ":" NR ": " text; failed = 1; exit 1 }

# Splits the line into field[1 ...]; a quoted text is one field.
function split_line(line,    n) {
    n = 0
    while (line != "") {
        sub(/^[ \t]+/, "", line)
        if (line == "") break
        if (substr(line, 1, 1) == "\"") {
            if (!match(line, /^"[^"]*"/)) wrong("a quote is not closed")
            field[++n] = substr(line, 2, RLENGTH - 2)
        } else {
            match(line, /^[^ \t]+/)
            field[++n] = substr(line, 1, RLENGTH)
        }
        line = substr(line, RLENGTH + 1)
    }
    return n
}

/^#/ || /^$/ { next }
/^%EventDef/ { name[$3] = $2; defining = $3; fields[$3] = 0; next }
/^%EndEventDef/ { defining = ""; next }
/^%/ { sub(/^% */, ""); fields[defining]++; column[defining, $1] = fields[defining] + 1; next }

{
    n = split_line($0)
    event = field[1]
    if (!(event in name)) wrong("event " event " is not defined")
    if (n != fields[event] + 1) wrong(name[event] " has " n - 1 " fields, not " fields[event])
    what = name[event]
    for (key in value) delete value[key]
    for (key in column) {
        split(key, part, SUBSEP)
        if (part[1] == event) value[part[2]] = field[column[key]]
    }
    if ("Time" in value) {
        if (value["Time"] !~ /^[0-9]+\.[0-9]+$/) wrong("no time: " value["Time"])
        if (value["Time"] + 0 < now) wrong("the time goes back")
        now = value["Time"] + 0
        split(value["Time"], part, ".")
        nanoseconds = part[1] part[2]
        sub(/^0+/, "", nanoseconds)
    }
}

what ~ /^PajeDefine(Container|State)Type$/ {
    if (value["Type"] != "0" && !(value["Type"] in type)) wrong("type " value["Type"] " is not defined")
    type[value["Alias"]] = value["Type"]
    is_state[value["Alias"]] = what == "PajeDefineStateType"
    next
}
what == "PajeDefineLinkType" {
    if (!(value["Type"] in type)) wrong("type " value["Type"] " is not defined")
    type[value["Alias"]] = value["Type"]
    link_from[value["Alias"]] = value["StartContainerType"]
    link_to[value["Alias"]] = value["EndContainerType"]
    next
}
what == "PajeDefineEntityValue" {
    if (!is_state[value["Type"]]) wrong("a value of no state")
    if (split(value["Color"], part, " ") != 3) wrong("no colour: " value["Color"])
    for (i = 1; i <= 3; i++) if (part[i] < 0 || part[i] > 1) wrong("no colour: " value["Color"])
    known[value["Type"], value["Alias"]] = 1
    next
}
what == "PajeCreateContainer" {
    if (!(value["Type"] in type)) wrong("type " value["Type"] " is not defined")
    if (value["Container"] != "0" && container[value["Container"]] != type[value["Type"]]) wrong("not in such a container")
    container[value["Alias"]] = value["Type"]
    if (value["Name"] ~ /^process /) processes++
    next
}
what == "PajeDestroyContainer" {
    if (container[value["Name"]] != value["Type"]) wrong("no such container: " value["Name"])
    container[value["Name"]] = "gone"
    next
}
what == "PajeSetState" {
    if (!is_state[value["Type"]] || type[value["Type"]] != container[value["Container"]]) wrong("no such state there")
    if (!((value["Type"], value["Value"]) in known)) wrong("value " value["Value"] " is not defined")
    next
}
what == "PajeStartLink" {
    if (container[value["StartContainer"]] != link_from[value["Type"]]) wrong("a link from elsewhere")
    if (value["Key"] in begun) wrong("a second link " value["Key"])
    begun[value["Key"]] = 1
    open_links++
    next
}
what == "PajeEndLink" {
    if (container[value["EndContainer"]] != link_to[value["Type"]]) wrong("a link to elsewhere")
    if (begun[value["Key"]] != 1) wrong("link " value["Key"] " has not begun")
    begun[value["Key"]] = 2
    open_links--
    messages++
    next
}
{ wrong("what is " what "?") }

END {
    if (failed) exit 1
    if (open_links) { print "links without an end"; exit 1 }
    for (one in container) if (container[one] != "gone") { print one " is not destroyed"; exit 1 }
    print processes + 0, messages + 0, nanoseconds
}
