import sys
kept = 1
count = 2
steps = 3
total: int = 4
inner = 5
listed = 6
loop = 7
whole = 8
twice = 9
if len(sys.argv) > 1:
    steps = int(sys.argv[1])
def work(inner):
    global total
    inner = 2
    total += 1
count += 1
a, listed = 1, 2
for loop in range(3):
    if kept == 1 and work(kept=3): pass
while (whole := next()) > 0: pass
twice = compute()
# PEVPM Set a = kept + inner
# PEVPM Set b = count
# PEVPM Set c = steps
# PEVPM Set d = total
# PEVPM Set e = listed
# PEVPM Set f = loop
# PEVPM Set g = whole
# PEVPM Set h = twice
