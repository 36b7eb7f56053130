# A header of the library as `make install` installs it: with C linkage for C++ around all that it declares, behind its includes and
# before the #endif of its guard, so that no header needs to say it and none can forget. C++ compilers warn of what is plain C, such as
# members that an initializer leaves out; as system headers they are not looked at so.
{
    line[NR] = $0
    if (/^#if/ && ++depth == 1)
        guarded = NR + 1
    if (/^#include/ && depth == 1)
        included = NR
    if (/^#endif/ && --depth == 0)
        last = NR
}
END {
    after = included ? included : guarded
    for (i = 1; i <= NR; i++) {
        if (i == last)
            print "#ifdef __cplusplus\n}\n#endif\n"
        print line[i]
        if (i == after)
            print "\n#ifdef __cplusplus\n#pragma GCC system_header\nextern \"C\" {\n#endif"
    }
}
