# SPDX-License-Identifier: GPL-2.0-only
# rig: paced
# rig: quick=6.12
# Pages of the system table and of one task, live and from a saved run; and pages that cannot be
# written.
. /test/guest-lib.sh
proportions & pid=$!
trap 'kill $pid' EXIT

# the report is printed too, and the page of a saved run equals that of the live run
expect 0 probe sys -sec 1 -percpu -save sys.run -html sys.html
says out '^proportions'
says sys.html '"name": "proportions", "kind": "exe"'
says sys.html '"receipt":"Receipt: 1000 Hz asked'
expect 0 probe show -percpu -html again.html sys.run
cmp sys.html again.html || fail "sys: another page"
expect 0 probe proc -sec 1 -low work_six -high main -save proc.run -html proc.html proportions
says out '^0x[0-9a-f]*-work_six'
says proc.html '"task": "proportions"'
says proc.html '^"headings":.*-work_six"'
expect 0 probe show -html again.html proc.run
cmp proc.html again.html || fail "proc: another page"
expect 0 probe proc -hot -sec 3 -save hot.run -html hot.html $pid
says hot.html '"steps": \['
says hot.html '"verdict": "[A-Z]'
expect 0 probe show -html again.html hot.run
cmp hot.html again.html || fail "hot: another page"
expect 0 probe proc -asm -sec 1 -low work_six -high main -save asm.run -html asm.html proportions
says asm.html '^"listing":\{"offsets":\["\+0x'
says asm.html "\"instruction\": \"$count_down"
expect 0 probe show -asm -html again.html asm.run
cmp asm.html again.html || fail "asm: another page"
expect 0 probe show -html again.html asm.run
grep -q '"listing":{' again.html && fail "the page has instructions without being asked to"
expect 0 probe show -json -html - sys.run
says out '</html>'

# a bad file name is found before the run starts, and an existing file stays
begun=$(date +%s)
expect 1 probe sys -sec 30 -html /none/page
one_line_error 'write /none/page: No such file or directory'
expect 1 probe proc -sec 30 -html /none/page proportions
one_line_error 'write /none/page: No such file or directory'
holds "$(date +%s) - $begun < 10"
expect 1 probe show -html sys.run sys.run
one_line_error 'write sys.run: the file is the run being read'
expect 2 probe sys -repeat 1 -html page
one_line_error '-html cannot be combined with -repeat'
expect 2 probe proc -save page -html page proportions
one_line_error "-save and -html cannot write the same file 'page'"
expect 2 probe proc -html '' proportions
one_line_error 'option -html: the file name is empty'
expect 1 probe show -html page none
one_line_error 'open none: No such file or directory'
mkdir small
mount -t tmpfs -o size=16k none small || fail "no small disk"
echo old >small/page
expect 1 probe show -html small/page sys.run
one_line_error 'write small/page: No space left on device'
expect 1 probe proc -sec 0.5 -html small/page proportions
one_line_error 'write small/page: No space left on device'
[ "$(ls small)" = page ] && [ "$(cat small/page)" = old ] || fail "the old page is lost"
umount small
expect 1 probe sys -sec 0.5 -html /dev/full
one_line_error 'write /dev/full: No space left on device'
[ ! -e page ] || fail "a page is left"
