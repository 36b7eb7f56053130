#!/bin/sh
# The sketch of a program without a source: predictions that can be worked out. Started from the project's root.
set -u
. examples/tests/common.sh
source=examples/sketch/ocean.pevpm

# Four processes, 2 x 2, all in step. An edge of the rectangle of 720 x 360 columns goes to and fro in both
# directions: four messages, 1,280 bytes for a column in a step, 8 in an iteration of the solver. A sum of four takes
# 2 T(8). In rows of two, each process sends the other what it has of 36 columns of 720 cells, 320 bytes each.
edges='2*T(360*1280) + 2*T(720*1280)'
iteration='2*T(360*8) + 2*T(720*8) + 720*360*10e-3 + 2*2*T(8)'
expect "four processes" "$(predict $source 4 -D steps=3 -D solver=7)" \
    "3*($edges + 720*360*40*25e-3 + 7*($iteration) + T(8*40*(720*360/10)/2))"

# Sixteen, 4 x 4: edges of 180 and 360 columns, 64,800 columns each, sums in four exchanges, three messages in a row.
iteration='2*T(180*8) + 2*T(360*8) + 64800*10e-3 + 2*4*T(8)'
expect "sixteen processes" "$(predict $source 16 -D steps=1 -D solver=2)" \
    "2*T(180*1280) + 2*T(360*1280) + 64800*40*25e-3 + 2*($iteration) + 3*T(8*40*6480/4)"

# Alone: no messages.
expect "one process" "$(predict $source 1 -D steps=3 -D solver=7)" "3*1440*720*(40*25e-3 + 7*10e-3)"

# Two processes, 2 x 1: edges of 720 columns in one direction.
expect "two processes" "$(predict $source 2 -D steps=1 -D solver=1)" \
    "2*T(720*1280) + 720*720*40*25e-3 + 2*T(720*8) + 720*720*10e-3 + 2*T(8) + T(8*40*(720*720/10)/2)"
finish
