# SPDX-License-Identifier: GPL-2.0-only
# large.awk -v stacks=N: a profile as text (tests/unit/profiles.h) of N different stacks, about 5 to
# 60 frames deep, of 5,000 functions in 40 objects; identical in every run.
function random(n) {
	seed = (seed * 1103515245 + 12345) % 2147483648
	return int(seed / 65536) % n
}

BEGIN {
	seed = 1
	for (i = 0; i < stacks; i++) {
		nr = 5 + random(8) * random(8)
		at = int(random(40) * random(40) / 40)
		program = at
		line = "main" at "@program" at
		# A function makes one of its calls most often, as in real programs.
		for (k = 1; k < nr; k++) {
			at = (at * 7 + int(random(4) * random(4) * random(4) / 9)) % 5000
			line = line ";function_number_" at "@library" at % 40 ".so"
		}
		printf "program%d %d user %s;leaf_%d@library%d.so %d\n", program, 100 + program * 5 + i % 5, line, i % 3000,
			i % 40, 1 + int(random(20) * random(20) * random(20) / 40)
	}
	print "IDLE 0 kernel [idle] 50000"
	print "lost 100"
}
