static const int fixed = 8;
int steps = 12;
