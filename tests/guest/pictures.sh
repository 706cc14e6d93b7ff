# SPDX-License-Identifier: GPL-2.0-only
# rig: full
# rig: not=debug,kcsan
# rig: icount
# rig: timeout=400
# rig: arch=x86
# The README shows instructions of x86.
# Makes the pictures of the README: the live view of a machine at work, the instructions that Enter
# leads to, and a histogram. Each line of a screen, with its colours, follows its picture's name.
. /test/guest-lib.sh
. /test/guest-terminal.sh

# take NAME: save a picture of the screen.
take() {
	mux capture-pane -e -p >coloured
	sed "s/^/$1| /" coloured >>figures
}

# A machine at work: Lua searches for primes, files are compressed and hashed, a shell starts programs.
cat >primes.lua <<'EOF'
local limit, count = tonumber(argument), 0
while true do
	local composite = {}
	for i = 2, limit do
		if not composite[i] then
			count = count + 1
			for j = i * i, limit, i do composite[j] = true end
		end
	end
end
EOF
cat /bin/sh /bin/openssl /bin/probe | head -c 1000000 >data
background interpreter primes.lua 20000
background sh -c 'while :; do gzip -c data >/dev/null; sleep 0.2; done'
background sh -c 'while :; do openssl dgst -sha256 data; sleep 0.1; done'
background sh -c 'while :; do true | cat; /bin/busybox true; sleep 0.02; done'

begin 80 20 xterm-256color "probe top"
sees '^interpreter '
sleep 15
sees '^probe top  machine .* all of 1[0-9.]+ s$'
for name in interpreter gzip openssl busybox sh; do
	sees "^$name +[0-9]"
done
take top

# Zoom into the program, its hot range, a function, and its instructions.
for place in 'interpreter  ' 'interpreter > interpreter  ' 'luaV_execute  ' 'instructions '; do
	press Enter
	sees "^probe top  machine > .*$place"
	sleep 4
done
sleep 5
sees '^\+0x[0-9a-f]+ +[0-9]+ +[0-9.]+ +[0-9.]+ .*%e[a-d]x'
take instructions
press q
ends 0

# Three functions that take 60, 30 and 10% by construction.
for pid in $background_pids; do kill -9 "$pid"; done
background proportions
begin 80 44 xterm-256color "probe proc -sec 4 -low work_six -high main proportions"
sees '^Receipt: '
sees '^[0-9]+ samples of proportions by object$'
sees '^0x[0-9a-f]+-work_six$'
sees '^0x[0-9a-f]+: +[0-9]+: \*+-+\|-+$'
take histogram
