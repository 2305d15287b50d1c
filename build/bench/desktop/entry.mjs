/**
 * The entry of the bench inside Electron: the built program, or an empty window where none is named, with a word on stdout
 * when the first frame with content was drawn. What is typed on stdin as `walk N` is done N times, as fast as the page draws.
 */
import {createInterface} from 'node:readline'

import {app, BrowserWindow} from 'electron'

const {CORDON_BENCH_PROGRAM: program, CORDON_BENCH_CONTENT: selector} = process.env
/** A start is on the last screen, and the first one on the Overview. */
const toComputers = "if (location.hash.endsWith('/overview')) location.hash = '/computers'"
/** @type {Electron.WebContents | undefined} */
let contents

const say = fact => process.stdout.write(`${JSON.stringify(fact)}\n`)
const frame = 'new Promise((done) => requestAnimationFrame(() => done(null)))'

/** Resolves in the page with the end of the first frame after the content came, as time of day. */
const drawn = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.timeOrigin + performance.now());
      port2.postMessage(null);
    });
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  look();
})`

app.on('web-contents-created', (_event, created) => {
	contents = created
	created.once('dom-ready', async () => {
		const looked = created.executeJavaScript(drawn)
		setTimeout(() => void created.executeJavaScript(toComputers), 3000)
		say({drawn: await looked})
	})
})

createInterface({input: process.stdin}).on('line', async line => {
	await walk(Number(line.split(' ')[1]))
	say({walked: true})
})

/** Through the screens and up and down in their tables, as an operator does. */
async function walk(steps) {
	const page = contents
	if (page === undefined) return
	const keys = [...Array.from({length: 8}, () => 'Down'), 'End', 'Home']
	for (let done = 0; done < steps;) {
		for (const path of ['/computers', '/events', '/overview', '/log']) {
			await page.executeJavaScript(`location.hash = '${path}'; ${frame}`)
			await page.executeJavaScript(`document.querySelector('main [role=grid]')?.focus(); ${frame}`)
			for (const keyCode of keys) {
				page.sendInputEvent({type: 'keyDown', keyCode})
				page.sendInputEvent({type: 'keyUp', keyCode})
				await page.executeJavaScript(frame)
			}
			done += keys.length + 1
		}
	}
}

async function openEmpty() {
	await app.whenReady()
	const window = new BrowserWindow({width: 1280, height: 800, show: false})
	window.once('ready-to-show', () => window.show())
	await window.loadURL('data:text/html,<title>Empty</title><p>Nothing</p>')
}

// Not awaited at the top: Electron waits for the entry before it is ready.
if (program === undefined) void openEmpty()
// The build for tests waits for a word of its debugger.
else void import(program).then(() => globalThis['__playwright_run']?.())
