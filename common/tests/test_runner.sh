#!/bin/sh
# What runs the tests (common/tests/run.sh) tells which have failed, also one that does not end, and leaves nothing behind.
set -u

. common/tests/check.sh
echo 'echo "1 passed, 0 failed, 0 skipped"' >"$folder/good.sh"
printf 'echo "1 passed, 1 failed, 0 skipped"; exit 1\n' >"$folder/bad.sh"
# Its sleep would outlast this test: 4321 tells it from others.
printf 'echo before; sleep 4321.%s; echo after\n' $$ >"$folder/endless.sh"
run() { # run OUT TEST...
    out=$1
    shift
    PEVPM_TEST_SECONDS=${seconds:-900} sh common/tests/run.sh "$@" >"$out" 2>&1
}
sleeps() { pgrep -f "sleep 4321.$$\$" >/dev/null; }

run "$folder/out" "$folder/good.sh"
ended 0 $? 'a good test'
check 'counted' grep -qx '1 passed, 0 failed, 0 skipped' "$folder/out"

run "$folder/out" "$folder/good.sh" "$folder/bad.sh"
ended 1 $? 'a bad test'
check 'named' grep -qx -e "---- $folder/bad.sh (exit 1)" "$folder/out"
check 'counted with the good one' grep -qx '2 passed, 1 failed, 0 skipped' "$folder/out"

seconds=1 run "$folder/out" "$folder/endless.sh" "$folder/good.sh"
ended 1 $? 'a test that does not end'
check 'named' grep -qx -e "---- $folder/endless.sh (exit 124)" "$folder/out"
check 'with what it said' grep -qx 'before' "$folder/out"
check 'and why' grep -qx 'not ended after 1 s' "$folder/out"
check 'and the others' grep -qx '1 passed, 1 failed, 0 skipped' "$folder/out"
if sleeps; then fail 'what it had started ends, too'; else pass; fi

# As Ctrl-C does all of the process group are told, but by TERM, for what runs in the background has INT ignored.
setsid sh common/tests/run.sh "$folder/endless.sh" >"$folder/out" 2>&1 &
runner=$!
for _ in $(seq 100); do
    if sleeps; then break; fi
    sleep 0.1
done
check 'begun' sleeps
kill -s TERM -- -$runner
wait $runner
ended 1 $? 'interrupted'
for _ in $(seq 50); do
    if ! sleeps; then break; fi
    sleep 0.1
done
if sleeps; then fail 'nothing goes on after an interruption'; else pass; fi
finish
