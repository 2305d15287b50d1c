import type {Host} from './host.ts'
import type {Platform} from './platforms.ts'
import {dice, random} from './random.ts'

/** A program on many computers; the same file has the same hash in every tenant. */
export interface Program {
	name: string
	/** As in a trajectory: lower case, with slashes. */
	path: string
	platform: Platform
	type: string
	sha256: string
	sha1: string
	md5: string
	/** Share of the computers of its platform that run it, 0 to 1. */
	share: number
}

/** A remote endpoint of connections. Addresses are private or of the documentation ranges. */
export interface Endpoint {
	ip: string
	port: number
	url?: string
	incoming?: boolean
	share: number
}

const system = '/c:/windows/system32'
const files = '/c:/program files'

type Row = readonly [name: string, folder: string, share: number]

const windowsRows: readonly Row[] = [
	['svchost.exe', system, 1],
	['explorer.exe', '/c:/windows', 1],
	['taskmgr.exe', system, 0.3],
	['SearchProtocolHost.exe', system, 0.8],
	['RuntimeBroker.exe', system, 0.9],
	['conhost.exe', system, 0.7],
	['cmd.exe', system, 0.5],
	['powershell.exe', `${system}/windowspowershell/v1.0`, 0.35],
	['chrome.exe', `${files}/google/chrome/application`, 0.6],
	['msedge.exe', `${files} (x86)/microsoft/edge/application`, 0.85],
	['firefox.exe', `${files}/mozilla firefox`, 0.15],
	['OUTLOOK.EXE', `${files}/microsoft office/root/office16`, 0.7],
	['WINWORD.EXE', `${files}/microsoft office/root/office16`, 0.6],
	['EXCEL.EXE', `${files}/microsoft office/root/office16`, 0.6],
	['ms-teams.exe', `${files}/windowsapps/msteams`, 0.65],
	['OneDrive.exe', `${files}/microsoft onedrive`, 0.6],
	['AcroRd32.exe', `${files} (x86)/adobe/acrobat reader`, 0.4],
	['7zFM.exe', `${files}/7-zip`, 0.2],
	['putty.exe', `${files}/putty`, 0.06],
	['TeamViewer.exe', `${files}/teamviewer`, 0.04],
	['MediView.exe', `${files}/mediview`, 0.25],
	['LabLink.exe', `${files}/lablink`, 0.1],
	['python.exe', `${files}/python312`, 0.08],
	['git.exe', `${files}/git/cmd`, 0.1],
	['notepad++.exe', `${files}/notepad++`, 0.12]
]

const macRows: readonly Row[] = [
	['mdworker_shared', '/system/library/frameworks/coreservices.framework', 1],
	['Safari', '/applications/safari.app/contents/macos', 0.8],
	['Google Chrome', '/applications/google chrome.app/contents/macos', 0.7],
	['Microsoft Outlook', '/applications/microsoft outlook.app/contents/macos', 0.7],
	['zsh', '/bin', 0.6],
	['git', '/usr/bin', 0.4],
	['softwareupdated', '/system/library/coreservices', 0.9],
	['Slack', '/applications/slack.app/contents/macos', 0.5]
]

const linuxRows: readonly Row[] = [
	['systemd', '/usr/lib/systemd', 1],
	['sshd', '/usr/sbin', 0.95],
	['bash', '/usr/bin', 0.9],
	['python3.12', '/usr/bin', 0.6],
	['dockerd', '/usr/bin', 0.4],
	['java', '/usr/lib/jvm/bin', 0.4],
	['postgres', '/usr/lib/postgresql/16/bin', 0.2],
	['node', '/usr/bin', 0.3]
]

const rowsOf: readonly (readonly [Platform, string, readonly Row[]])[] = [
	['windows', 'PE Executable', windowsRows],
	['mac', 'Mach-O Executable', macRows],
	['linux', 'ELF', linuxRows]
]

function hashesOf(name: string): Pick<Program, 'sha256' | 'sha1' | 'md5'> {
	const die = random('program', name)
	return {sha256: die.hex(64), sha1: die.hex(40), md5: die.hex(32)}
}

export const programs: readonly Program[] = rowsOf.flatMap(([platform, type, rows]) =>
	rows.map(([name, folder, share]) => ({name, platform, type, share, path: `${folder}/${name.toLowerCase()}`, ...hashesOf(name)}))
)

export const endpoints: readonly Endpoint[] = [
	{ip: '10.52.0.11', port: 389, share: 0.9},
	{ip: '10.52.0.12', port: 88, share: 0.9},
	{ip: '10.20.0.24', port: 445, share: 0.12},
	{ip: '10.60.0.30', port: 104, share: 0.2},
	{ip: '10.52.0.80', port: 8080, share: 0.5, url: 'http://proxy.stbarnaby.example:8080/wpad.dat'},
	{ip: '10.52.0.25', port: 22, share: 0.1, incoming: true},
	{ip: '192.0.2.10', port: 443, share: 0.8, url: 'https://mail.stbarnaby.example/owa/'},
	{ip: '192.0.2.53', port: 53, share: 0.7},
	{ip: '198.51.100.201', port: 443, share: 0.75, url: 'https://updates.vendor.example/v3/check'},
	{ip: '198.51.100.202', port: 443, share: 0.55, url: 'https://cdn.news.example/assets/app.js'},
	{ip: '198.51.100.203', port: 80, share: 0.3, url: 'http://ocsp.ca.example/'},
	{ip: '198.51.100.204', port: 443, share: 0.25, url: 'https://files.share.example/download'},
	{ip: '198.51.100.205', port: 123, share: 0.6}
]

/** Whether that computer runs the program; cheap enough for a whole tenant. */
export function runs(seed: number, host: Host, program: number) {
	const known = programs[program]
	return known !== undefined && known.platform === host.platform && dice(seed, host.index, 1000 + program) < known.share
}

export function talksTo(seed: number, host: Host, endpoint: number) {
	const known = endpoints[endpoint]
	return known !== undefined && host.platform !== 'ios' && dice(seed, host.index, 2000 + endpoint) < known.share
}
