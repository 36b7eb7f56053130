// PEVPM Set n = 3
// PEVPM Serial time = measured(a, n) us & code = s->atoms[i & 3].n % '"'
// PEVPM Serial on b time = measured(a, n)
// PEVPM &      code = f(s, "a;") & g
