/** The pictures' entry inside Electron: the build for tests, which waits for its debugger. */
void import(process.env.CORDON_PICTURES_PROGRAM).then(() => globalThis['__playwright_run']())
