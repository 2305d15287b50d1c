/** The entry of pictures inside Electron: the build for tests, which takes a debugger and waits for a word of it. */
void import(process.env.CORDON_PICTURES_PROGRAM).then(() => globalThis['__playwright_run']())
