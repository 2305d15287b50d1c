import type {Browser, Page} from '@playwright/test'

/** The largest renderer is the page; the browser keeps an empty one ready. */
export async function rendererMemory(browser: Browser, memoryOf: (pid: number) => number) {
	const session = await browser.newBrowserCDPSession()
	const {processInfo} = await session.send('SystemInfo.getProcessInfo')
	return Math.max(...processInfo.filter(({type}) => type === 'renderer').map(({id}) => memoryOf(id)))
}

export async function heapOf(page: Page) {
	const session = await page.context().newCDPSession(page)
	await session.send('HeapProfiler.collectGarbage')
	const {usedSize} = await session.send('Runtime.getHeapUsage')
	return usedSize / 2 ** 20
}
