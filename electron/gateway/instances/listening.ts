/** The listener of a TCP port of this computer. */
import {readdir, readFile, readlink} from 'node:fs/promises'
import {createServer} from 'node:net'
import {basename} from 'node:path'

/** Whether a server could listen there now, by a short bind. */
export function isFree(host: string, port: number): Promise<boolean> {
	return new Promise(resolve => {
		const server = createServer()
		server.once('error', () => resolve(false))
		server.listen({host, port, exclusive: true}, () => server.close(() => resolve(true)))
	})
}

interface Holder {
	/** Such as `nginx (process 4711)`, or `another program` if unknown. */
	text: string
	pid: number | null
}

/** The program that listens on a port; `null` without one. Linux reports it (proc_net_tcp(5)); elsewhere the port is tried. */
export async function holderOf(port: number) {
	const sockets = await listeningSockets(port)
	if (sockets === undefined) return (await isFree('127.0.0.1', port)) ? null : unknownHolder
	if (sockets.size === 0) return null
	const pid = await processWith(sockets)
	if (pid === undefined) return unknownHolder
	const name = await programOf(pid)
	return {text: name === '' ? `process ${pid}` : `${name} (process ${pid})`, pid}
}

/** Its executable; thread names are arbitrary, and Node calls its first one `MainThread`. */
async function programOf(pid: number) {
	const path = await readlink(`/proc/${pid}/exe`).catch(() => '')
	if (path !== '') return basename(path.replace(/ \(deleted\)$/, ''))
	return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim()
}

/** Whether it listens beyond loopback; `undefined` if unknown, or without a listener. */
export async function isOpenToNetwork(port: number) {
	const rows = await listeners(port)
	if (rows === undefined || rows.length === 0) return undefined
	return rows.some(({address}) => !loopback.test(address))
}

/** Where something listens, such as `::1`; empty if unknown. */
export async function addressesOf(port: number): Promise<readonly string[]> {
	return [...new Set((await listeners(port))?.map(({address}) => textOf(address)))]
}

/** Each 4 bytes are a number in the kernel's byte order. */
function textOf(address: string) {
	const bytes = address.match(/.{8}/g)?.flatMap(word => word.match(/../g)?.toReversed() ?? []) ?? []
	if (bytes.length === 4) return bytes.map(byte => Number.parseInt(byte, 16)).join('.')
	return new URL(`http://[${bytes.join('').match(/.{4}/g)?.join(':') ?? ''}]`).hostname.slice(1, -1)
}

const unknownHolder: Holder = {text: 'another program', pid: null}

/** 127.0.0.0/8, ::1, and 127.0.0.0/8 within IPv6, in the byte order of the kernel on x86 and ARM. */
const loopback = /^(?:[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F)$/

interface Listener {
	/** Hexadecimal. */
	address: string
	inode: string
}

async function listeningSockets(port: number): Promise<ReadonlySet<string> | undefined> {
	const rows = await listeners(port)
	return rows === undefined ? undefined : new Set(rows.map(({inode}) => `socket:[${inode}]`))
}

async function listeners(port: number): Promise<readonly Listener[] | undefined> {
	const tables = await Promise.all(['tcp', 'tcp6'].map(readTable))
	if (tables[0] === undefined) return undefined
	return tables.flatMap(text => listenersIn(text ?? '', port))
}

async function readTable(name: string) {
	if (process.platform !== 'linux') return undefined
	return readFile(`/proc/net/${name}`, 'utf8').catch(() => undefined)
}

function listenersIn(text: string, port: number) {
	const listening = '0A'
	return text.split('\n').flatMap(line => {
		const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
		const [address = '', digits = ''] = local.split(':')
		return state === listening && Number.parseInt(digits, 16) === port ? [{address, inode}] : []
	})
}

/** Only this user's processes can be inspected. */
async function processWith(sockets: ReadonlySet<string>) {
	const names = await readdir('/proc').catch(() => [])
	for (const name of names) {
		if (!/^\d+$/.test(name)) continue
		const files = await readdir(`/proc/${name}/fd`).catch(() => [])
		const links = await Promise.all(files.map(file => readlink(`/proc/${name}/fd/${file}`).catch(() => '')))
		if (links.some(link => sockets.has(link))) return Number(name)
	}
	return undefined
}
