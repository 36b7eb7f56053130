# transfer.pl - what one TCP connection passes, bits per second on the wire. For `cluster check`.
#
#   perl transfer.pl receive PORT BEGIN         says how many, over the last three quarters of the time
#   perl transfer.pl send PORT BEGIN ADDRESS    sends from BEGIN on, in seconds of this machine's clock
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(time sleep);

my $TIME = 4;                # s that the transfer takes
my $WIRE = 8 * 1514 / 1448;  # bits of a frame for each byte that it carries
my ($role, $port, $begin, $address) = @ARGV;
my $end = $begin + $TIME;
$SIG{PIPE} = 'IGNORE';
$SIG{ALRM} = sub { exit 1 };
alarm 20;

sub receive {
    my $listener = IO::Socket::INET->new(Listen => 1, LocalPort => $port, ReuseAddr => 1) or die "cannot listen: $@\n";
    my $connection = $listener->accept;
    my ($first, $last, $bytes) = (undef, undef, 0);
    while (time < $end and my $got = sysread $connection, my $data, 65536) {
        my $now = time;
        next if $now < $begin + $TIME / 4;
        $bytes += $got if defined $first;
        $first //= $now;
        $last = $now;
    }
    printf "%.0f\n", defined $last && $last > $first ? $bytes * $WIRE / ($last - $first) : 0;
}

sub send_all {
    my $connection;
    while (!$connection and time < $begin) {
        $connection = IO::Socket::INET->new("$address:$port") or sleep 0.05;
    }
    die "cannot connect to $address: $@\n" unless $connection;
    sleep $begin - time if time < $begin;
    my $data = 'x' x 65536;
    1 while time < $end and syswrite $connection, $data;
}

$role eq 'receive' ? receive() : send_all();
