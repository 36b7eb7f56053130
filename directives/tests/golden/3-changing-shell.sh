kept=1
steps=2
count=3
line=4
loop=5
sum=6
test "$1" && steps=$1
count=$((count * 2))
read line
for loop in 1 2 3; do (( sum++ )); done
echo "kept=2" $kept
# PEVPM Set a = kept
# PEVPM Set b = steps
# PEVPM Set c = count
# PEVPM Set d = line
# PEVPM Set e = loop
# PEVPM Set f = sum
