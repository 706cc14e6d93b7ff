// SPDX-License-Identifier: GPL-2.0-only
/*
 * interpreter SCRIPT ARGUMENT: a real program of many functions, Debian's Lua. Its static library
 * has symbols, unlike the stripped programs of the archive.
 */
#include <lua5.4/lua.h>
#include <lua5.4/lauxlib.h>
#include <lua5.4/lualib.h>

int main(int argc, char **argv)
{
	lua_State *state = luaL_newstate();

	if (argc != 3 || !state)
		return 2;
	luaL_openlibs(state);
	lua_pushstring(state, argv[2]);
	lua_setglobal(state, "argument");
	if (luaL_dofile(state, argv[1])) {
		lua_writestringerror("%s\n", lua_tostring(state, -1));
		return 1;
	}
	lua_close(state);
	return 0;
}
