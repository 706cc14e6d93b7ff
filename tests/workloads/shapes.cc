// SPDX-License-Identifier: GPL-2.0-only
// C++ names: a member function, an overload and a template take 60%, 30% and 10% of the time.
#define LOOP(count) \
	__asm__ volatile("mov %0, %%ecx\n1:\tdec %%ecx\n\tjnz 1b\n" : : "i"(count) : "ecx", "cc")

namespace geometry {
struct Circle {
	__attribute__((noinline)) void draw(int) { LOOP(60000); }
};
__attribute__((noinline)) void measure(double) { LOOP(30000); }
template <typename T> __attribute__((noinline)) void fill(T) { LOOP(10000); }
}

int main()
{
	geometry::Circle circle;

	for (;;) {
		circle.draw(1);
		geometry::measure(1.0);
		geometry::fill<long>(1);
	}
}
