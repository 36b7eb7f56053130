# numbers.awk - what the tables of validation/ count with, and call programs by chance; given to awk before the table's own program.

function absolute(x) { return x < 0 ? -x : x }

function sort_numbers(list, n,    i, j, x) {
    for (i = 2; i <= n; i++) {
        x = list[i]
        for (j = i - 1; j >= 1 && list[j] > x; j--)
            list[j + 1] = list[j]
        list[j + 1] = x
    }
}

function median(list, n) { # "" of nothing
    if (n == 0)
        return ""
    sort_numbers(list, n)
    return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}

function quantile(list, n, p) { # of sorted ones, the least that a share p of them does not exceed; "" of nothing
    return n == 0 ? "" : list[n * p == int(n * p) && n * p > 0 ? n * p : int(n * p) + 1]
}

function percent(format, x) { return x == "" ? "-" : sprintf(format " %%", x) }

function program_name(said) { # "halo-7", of what pevpm-run calls the program: jobs of many programs, as once, make their own
    gsub(/^<--random |>$|\.pevpm$/, "", said)
    sub(/ --seed /, "-", said)
    return said
}
