// SPDX-License-Identifier: GPL-2.0-only
// C++ names: a member function, an overload and a template take 60%, 30% and 10% of the time.
#include "count_down.h"

namespace geometry {
struct Circle {
	__attribute__((noinline)) void draw(int) { COUNT_DOWN(60000); }
};
__attribute__((noinline)) void measure(double) { COUNT_DOWN(30000); }
template <typename T> __attribute__((noinline)) void fill(T) { COUNT_DOWN(10000); }
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
