/** Message buses of a test's own, with stand-ins for a desktop: a tray, notifications, the login manager. */
import {execFile, spawn, spawnSync, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {setTimeout as pause} from 'node:timers/promises'
import {promisify} from 'node:util'

const run = promisify(execFile)
/** Debian's own Python finds its modules. */
const python = '/usr/bin/python3'

/** Whether this computer lacks something. Where the pass is required, that fails the test. */
export function lacks(...needed: readonly ('dbusmock' | 'dunst' | 'panel' | 'xdotool' | 'xvfb')[]) {
	if (process.env['CORDON_DESKTOP'] === 'required') return false
	const asks = {
		dbusmock: [python, ['-c', 'import dbusmock']],
		dunst: ['dunst', ['--version']],
		panel: ['xfce4-panel', ['--version']],
		xdotool: ['xdotool', ['version']],
		xvfb: ['xvfb-run', ['--help']]
	} as const
	const commands = [['dbus-daemon', ['--version']], ['gdbus', ['help']], ...needed.map(each => asks[each])] as const
	return commands.some(([command, args]) => spawnSync(command, args).status !== 0)
}

export type Bus = Awaited<ReturnType<typeof startBus>>

const driver = ['org.freedesktop.DBus', '/org/freedesktop/DBus'] as const
/** No service starts by itself: only what a test puts on the bus is there. */
const config = (address: string) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <keep_umask/>
  <listen>${address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>`

export async function startBus() {
	const folder = await mkdtemp(join(tmpdir(), 'bus-'))
	const file = join(folder, 'bus.conf')
	await writeFile(file, config(`unix:dir=${folder}`))
	const daemon = spawn('dbus-daemon', [`--config-file=${file}`, '--nofork', '--print-address=1'], {stdio: ['ignore', 'pipe', 'ignore']})
	const [address] = (await once(createInterface(daemon.stdout), 'line')) as [string]
	const environment = {DBUS_SESSION_BUS_ADDRESS: address}
	const started: ChildProcess[] = []
	/** Returns the answer as GVariant text. */
	const call = async (destination: string, path: string, method: string, ...args: readonly string[]) => {
		const words = ['call', '--session', '--dest', destination, '--object-path', path, '--method', method, '--', ...args]
		return (await run('gdbus', words, {env: {...process.env, ...environment}})).stdout.trim()
	}
	return {
		address,
		/** Makes this bus a program's session bus. */
		environment,
		call,
		/** The names of a process's connections to the bus. */
		namesOf: async (pid: number) => {
			const names = (await call(...driver, 'org.freedesktop.DBus.ListNames')).match(/:\d+\.\d+/g) ?? []
			const owned = names.map(async name => {
				const owner = await call(...driver, 'org.freedesktop.DBus.GetConnectionUnixProcessID', name).catch(() => '')
				return owner === `(uint32 ${pid},)` ? [name] : []
			})
			return (await Promise.all(owned)).flat()
		},
		has: async (name: string) => (await call(...driver, 'org.freedesktop.DBus.NameHasOwner', name)) === '(true,)',
		/** Runs a program on the bus until the test ends; `heard` gets its stdout. */
		spawn: (command: string, args: readonly string[], heard: (part: string) => void = () => {}) => {
			const child = spawn(command, args, {env: {...process.env, ...environment}, stdio: ['ignore', 'pipe', 'ignore']})
			child.stdout.setEncoding('utf8').on('data', heard)
			started.push(child)
			return child
		},
		/** Runs a program on the bus to its end. */
		run: async (command: string, args: readonly string[]) => void (await run(command, args, {env: {...process.env, ...environment}})),
		stop: async () => {
			await Promise.all([...started, daemon].map(ended))
			await rm(folder, {recursive: true, force: true})
		}
	}
}

export async function ended(child: ChildProcess) {
	if (child.exitCode !== null || child.signalCode !== null) return
	const gone = once(child, 'exit')
	child.kill('SIGKILL')
	await gone
}

const lookEveryMs = 50

/** For programs that start without a signal; gives up after ten seconds. */
async function until(isSo: () => Promise<boolean>) {
	for (let looks = 0; !(await isSo()); looks += 1) {
		if (looks > 200) throw new Error('What was started did not come up.')
		await pause(lookEveryMs)
	}
}

const watcher = ['org.kde.StatusNotifierWatcher', '/StatusNotifierWatcher'] as const
const mock = 'org.freedesktop.DBus.Mock'

/** A stand-in for a panel. */
export async function startTrayHost(bus: Bus) {
	const child = bus.spawn(python, ['-m', 'dbusmock', '--session', ...watcher, watcher[0]])
	await until(() => bus.has(watcher[0]))
	await bus.call(...watcher, `${mock}.AddProperty`, watcher[0], 'IsStatusNotifierHostRegistered', '<true>')
	await bus.call(...watcher, `${mock}.AddMethod`, watcher[0], 'RegisterStatusNotifierItem', 's', '', '')
	return trayHost(bus, child, () => bus.call(...watcher, `${mock}.GetMethodCalls`, 'RegisterStatusNotifierItem'))
}

const xfconf = 'org.xfce.Xfconf'

/** Xfce's own panel, whose tray takes the icons of all programs. */
export async function startPanel(bus: Bus) {
	if (!(await bus.has(xfconf))) {
		const service = await readFile(`/usr/share/dbus-1/services/${xfconf}.service`, 'utf8')
		bus.spawn(/^Exec=(.+)$/m.exec(service)?.[1] ?? '', [])
		await until(() => bus.has(xfconf))
	}
	const child = bus.spawn('xfce4-panel', ['--disable-wm-check'])
	const ask = (fact: string) => bus.call(...watcher, `${properties}.Get`, watcher[0], fact)
	await until(async () => (await ask('IsStatusNotifierHostRegistered').catch(() => '')) === '(<true>,)')
	const {stop, ...host} = trayHost(bus, child, () => ask('RegisteredStatusNotifierItems'))
	return {
		...host,
		stop: async () => {
			await stop()
			// Its plugins are processes of their own.
			await until(async () => !(await bus.has(watcher[0])))
		}
	}
}

/** A panel with tray icons, one at a time. `registered` tells the paths of the icons; one that is gone may still be among them. */
function trayHost(bus: Bus, child: ChildProcess, registered: () => Promise<string>) {
	const item = async (pid: number): Promise<readonly [name: string, path: string]> => {
		const said = await registered()
		const paths = [...said.matchAll(/'[^'/]*(\/[\w/]+)'/g)].map(([, path = '']) => path)
		for (const path of paths.toSorted().toReversed())
			for (const name of await bus.namesOf(pid))
				if (await bus.call(name, path, `${properties}.Get`, icon, 'Id').catch(() => null)) return [name, path]
		throw new Error(`This panel shows no icon of the process: ${said}`)
	}
	return {
		/** Clicks the process's newest icon. */
		click: async (pid: number) => void (await bus.call(...(await item(pid)), `${icon}.Activate`, '0', '0')),
		choose: async (pid: number, label: string) => {
			const [name, path] = await item(pid)
			const [, menu = ''] = /'([^']+)'/.exec(await bus.call(name, path, `${properties}.Get`, icon, 'Menu')) ?? []
			const layout = await bus.call(name, menu, `${dbusmenu}.GetLayout`, '0', '-1', '@as []')
			const [, id] = new RegExp(`\\((\\d+), \\{[^}]*'label': <'${label}'>`).exec(layout) ?? []
			if (id === undefined) throw new Error(`The menu has no ${label}: ${layout}`)
			await bus.call(name, menu, `${dbusmenu}.Event`, id, 'clicked', '<0>', 'uint32 0')
		},
		stop: () => ended(child)
	}
}

const properties = 'org.freedesktop.DBus.Properties'
const icon = 'org.kde.StatusNotifierItem'
const dbusmenu = 'com.canonical.dbusmenu'

/** Shown by dunst. */
export async function startNotifications(bus: Bus) {
	let said = ''
	bus.spawn('dunst', ['-print'], part => (said += part))
	await until(() => bus.has('org.freedesktop.Notifications'))
	return {
		titles: () => [...said.matchAll(/^\tsummary: '(.*)'$/gm)].map(([, title = '']) => title),
		/** Clicks the newest. */
		click: () => bus.run('dunstctl', ['action', '0'])
	}
}

const login = ['org.freedesktop.login1', '/org/freedesktop/login1'] as const

/** The system's login manager, which announces sleep, on a bus of its own, which the program takes for the system's. */
export async function startLoginManager(bus: Bus) {
	const environment = {DBUS_SYSTEM_BUS_ADDRESS: bus.address}
	bus.spawn('env', [`DBUS_SYSTEM_BUS_ADDRESS=${bus.address}`, python, '-m', 'dbusmock', '-t', 'logind'])
	await until(() => bus.has(login[0]))
	const sleep = (isSoon: boolean) =>
		bus.call(...login, `${mock}.EmitSignal`, `${login[0]}.Manager`, 'PrepareForSleep', 'b', isSoon ? '[<true>]' : '[<false>]')
	return {
		environment,
		/** Wakes the computer. */
		resume: async () => {
			await sleep(true)
			await sleep(false)
		}
	}
}
