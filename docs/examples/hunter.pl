#!/usr/bin/perl
# A player for `mulligan arena` (docs/protocol.md): it takes cards that equal one of its open cards, and low ones.
use strict;
use warnings;

$| = 1;    # every answer leaves at once
my (%points, @own, $discard, $held, %legal, $phase);

sub slot { my ($nth, $columns) = @_; return chr(97 + $nth % $columns) . (1 + int($nth / $columns)); }

# The best slot for a card, and what it saves: the highest open card above it, or one beside an equal card.
sub place {
    my ($face, $rows) = @_;
    my $columns = @{ $rows->[0] };
    my ($best, $most) = (undef, -1000);
    for my $row (0 .. $#$rows) {
        for my $column (0 .. $columns - 1) {
            my $there = $rows->[$row][$column];
            next if $there eq $face;
            my $saved = ($there eq "?" ? 5 : $points{$there}) - $points{$face};
            $saved += 10 if grep { $_ != $row && $rows->[$_][$column] eq $face } 0 .. $#$rows;
            my $name = slot($row * $columns + $column, $columns);
            ($best, $most) = ($name, $saved) if $saved > $most && ($phase eq "take" || $legal{$name});
        }
    }
    return ($best, $most);
}

sub move {
    my @slots = grep { $legal{$_} } sort grep { /^[a-z][0-9]/ } keys %legal;
    return $slots[0] // "pass" if $phase eq "tee_off" || $phase eq "flip";
    my ($slot, $saved) = place($phase eq "take" ? $discard : $held, \@own);
    return $saved > 4 ? "discard" : "stock" if $phase eq "take";
    return $legal{discard_drawn} && $saved < 1 ? "discard_drawn" : $slot;
}

while (my $line = <STDIN>) {
    my ($word, @rest) = split " ", $line;
    next unless $word;
    if    ($word eq "face")     { $points{ $rest[0] } = $rest[2]; }
    elsif ($word eq "begin")    { print "ready\n"; }
    elsif ($word eq "position") { @own = (); }
    elsif ($word eq "phase")    { $phase = $rest[0]; }
    elsif ($word eq "discard")  { $discard = $rest[0]; }
    elsif ($word eq "held")     { $held = $rest[0]; }
    elsif ($word eq "moves")    { %legal = map { $_ => 1 } @rest; }
    elsif ($word eq "layout")   { @own = map { [split] } split "/", "@rest" unless @own; }    # the first is ours
    elsif ($word eq "go")       { print "move ", move(), "\n"; }
    elsif ($word eq "quit")     { last; }
}
