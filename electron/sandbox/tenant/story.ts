import {briefOf, cloudIoc, convictedConnection, programNamed} from './blocks.ts'
import {castPositions, type StoryRole} from './cast.ts'
import {types} from './event-types.ts'
import type {EventBlock} from './facts.ts'
import {addressOf, type Host} from './host.ts'
import {malware, type Malware} from './malware.ts'
import type {Program} from './programs.ts'
import {random} from './random.ts'
import {commandServer, dropped, hour, minute, openStage, second, toCommandServer, type Script, type Stage} from './stage.ts'

const macServer = '203.0.113.91'
const miningPool = '203.0.113.140'

interface Scene extends Script {
	/** Arrival of the mail. */
	zero: number
	dropper: Malware
	document: Malware
}

/** The attack: a mail, a document, a shell, a command server, a dropper, and the same file on the next computers. */
export function tellStory(seed: string, hosts: readonly Host[]) {
	const die = random(seed, 'story')
	const scene: Scene = {
		seed,
		die,
		zero: -(22 * hour + die.int(8 * hour)),
		dropper: malware(seed, 'W32.Updchk.RAT.tht.VRT', 'updchk.exe', 'C:\\Users\\%USER%\\AppData\\Local\\Temp\\updchk.exe'),
		document: malware(seed, 'Doc.Downloader.Invoice::in03.talos', 'Invoice_2291.docm', 'C:\\Users\\%USER%\\Downloads\\Invoice_2291.docm'),
		events: [],
		activities: []
	}
	play(scene, hosts)
	const {events, activities, dropper, document} = scene
	return {
		events,
		activities,
		/** Hashes and addresses shared by the computers. */
		indicators: {dropper: dropper.sha256, document: document.sha256, commandServer}
	}
}

/** A small tenant has only some of the actors; events of a missing one do not happen. */
function play(scene: Scene, hosts: readonly Host[]) {
	const positions = [...castPositions(hosts.length)]
	const stageOf = (role: StoryRole): readonly Stage[] =>
		positions.flatMap(([index, {plays}]) => {
			const host = hosts[index]
			return plays === role && host !== undefined ? [openStage(scene, host)] : []
		})
	const [patient, server, ward] = [stageOf('patientZero')[0], stageOf('fileServer')[0], stageOf('ward')[0]]
	if (patient !== undefined) intrusion(scene, patient)
	if (patient !== undefined) alarms(scene, patient)
	for (const stage of stageOf('recipient')) recipient(scene, stage)
	if (patient !== undefined && server !== undefined) spread(scene, patient, server, scene.zero + 2 * hour, 'quarantined')
	if (server !== undefined && ward !== undefined) spread(scene, server, ward, scene.zero + 5 * hour, 'failed')
	for (const stage of stageOf('mac')) fakeUpdate(scene, stage)
	for (const stage of stageOf('miner')) miner(scene, stage)
}

/** The mail's document starts a shell, which downloads and starts the dropper. */
function intrusion(scene: Scene, stage: Stage) {
	const opened = scene.zero + 3 * minute
	const {user} = stage.host
	const [word, shell] = [briefOf(programNamed('WINWORD.EXE')), briefOf(programNamed('powershell.exe'))]
	const dropper = dropped(scene.dropper, `/c:/users/${user}/appdata/local/temp/updchk.exe`)
	const line = ['powershell.exe', '-nop', '-w', 'hidden', '-enc', 'SQBFAFgAIAAoAE4AZQB3AC0A']
	stage.created(scene.zero, dropped(scene.document, `/c:/users/${user}/downloads/invoice_2291.docm`), briefOf(programNamed('OUTLOOK.EXE')))
	stage.executed(opened, word, briefOf(programNamed('explorer.exe')))
	stage.executed(opened + 20 * second, shell, word, {command_line: {arguments: line}})
	stage.connected(opened + 25 * second, toCommandServer(scene, stage.host, `https://${commandServer}/gate/2291`), shell)
	stage.created(opened + 40 * second, dropper, shell)
	stage.executed(opened + 50 * second, dropper, shell)
	stage.beacons(opened + 7 * minute, dropper)
}

/** The service's detections, of the file itself only most of a day later. */
function alarms(scene: Scene, stage: Stage) {
	const {zero, dropper} = scene
	const [word, shell] = [programNamed('WINWORD.EXE'), programNamed('powershell.exe')]
	const executed = {disposition: 'Malicious', identity: {sha256: dropper.sha256}}
	const text = 'A PowerShell process started by an Office application downloaded and started a file.'
	stage.alarm(zero + 3.5 * minute, types.wordShell, {severity: 'High', file: suspect(word)}, {applicationSha256: word.sha256})
	stage.alarm(
		zero + 4 * minute,
		types.cloudIoc,
		cloudIoc('High', 'W32.PowershellDownload.ioc', text, ['TA0002', 'TA0011'], ['T1059.001', 'T1105'])
	)
	stage.alarm(zero + 12 * minute, types.executedMalware, {severity: 'Critical', file: executed}, {detectionSha256: dropper.sha256})
	stage.detected(zero + 20 * hour, {bad: dropper, parent: shell, severity: 'Critical', outcome: 'failed'})
	scene.events.push({
		id: undefined,
		at: zero + 20 * hour + 40 * minute,
		type: types.threatHunting,
		host: stage.host.index,
		frame: 'computer',
		block: huntBlock(scene, stage.host)
	})
}

/** The same mail, stopped in time. */
function recipient(scene: Scene, stage: Stage) {
	const [outlook, word] = [programNamed('OUTLOOK.EXE'), programNamed('WINWORD.EXE')]
	const at = scene.zero + 10 * minute
	stage.created(at, dropped(scene.document, `/c:/users/${stage.host.user}/downloads/invoice_2291.docm`), briefOf(outlook))
	stage.detected(at + 2 * second, {bad: scene.document, parent: outlook, severity: 'High', outcome: 'quarantined'})
	stage.alarm(at + minute, types.exploitPrevention, {severity: 'Medium', file: suspect(word)}, {applicationSha256: word.sha256})
}

/** The same file arrives over SMB, runs as a service and calls home. */
function spread(scene: Scene, from: Stage, to: Stage, at: number, outcome: 'quarantined' | 'failed') {
	const service = programNamed('svchost.exe')
	const there = dropped(scene.dropper, '/c:/windows/updchk.exe')
	const [source, target, port] = [addressOf(from.host), addressOf(to.host), 50_000 + scene.die.int(9000)]
	const text = 'A service was created from another computer and started a file without a signature.'
	from.connected(at, {remoteIp: target, remotePort: 445, localIp: source, localPort: port}, there)
	to.connected(at + second, {remoteIp: source, remotePort: port, localIp: target, localPort: 445, incoming: true}, briefOf(service))
	to.created(at + 4 * second, there, briefOf(service))
	to.executed(at + 9 * second, there, briefOf(service))
	to.beacons(at + minute, there)
	to.alarm(at + 2 * minute, types.cloudIoc, cloudIoc('High', 'W32.RemoteServiceCreated.ioc', text, ['TA0008'], ['T1021.002', 'T1569.002']))
	to.detected(scene.zero + 20 * hour + 5 * minute, {bad: scene.dropper, parent: service, severity: 'Critical', outcome})
}

function fakeUpdate(scene: Scene, stage: Stage) {
	const at = scene.zero - 30 * hour
	const safari = programNamed('Safari')
	const bad = malware(scene.seed, 'Osx.Trojan.FakeUpdate', 'AdobeUpdater', '/Users/%USER%/Downloads/AdobeUpdater')
	const file = dropped(bad, `/users/${stage.host.user}/downloads/adobeupdater`, 'Mach-O Universal Binary')
	const url = 'https://flash-update.example/mac/next'
	stage.created(at, file, briefOf(safari))
	stage.executed(at + minute, file, briefOf(programNamed('zsh')))
	stage.connected(at + 70 * second, {remoteIp: macServer, remotePort: 443, localIp: '0.0.0.0', localPort: 0, url}, file)
	stage.detected(at + 90 * second, {bad, parent: safari, severity: 'High', outcome: 'quarantined'})
}

function miner(scene: Scene, stage: Stage) {
	const at = scene.zero - 4 * hour
	const bash = programNamed('bash')
	const bad = malware(scene.seed, 'Unix.Coinminer.Generic', 'kworkerds', '/tmp/.x/kworkerds')
	const file = dropped(bad, '/tmp/.x/kworkerds', 'ELF')
	const link = {remoteIp: miningPool, remotePort: 3333, localIp: addressOf(stage.host), localPort: 41_212}
	stage.created(at, file, briefOf(bash))
	stage.executed(at + second, file, briefOf(bash))
	for (let i = 0; i < 60; i += 1) stage.connected(at + minute + i * 10 * minute, link, file)
	stage.alarm(at + 2 * minute, types.dfcDetected, {severity: 'Medium', ...convictedConnection(link, file)}, {applicationSha256: bad.sha256})
	stage.detected(at + 3 * minute, {bad, parent: bash, severity: 'High', outcome: 'failed'})
}

function suspect(program: Program): EventBlock {
	return {disposition: 'Clean', file_name: program.name, identity: {sha256: program.sha256}}
}

function huntBlock(scene: Scene, host: Host): EventBlock {
	return {
		severity: 'Critical',
		tactics: [
			{
				name: 'Command and Control',
				description: '<p>The adversary is trying to communicate with compromised systems.</p>',
				external_id: 'TA0011',
				mitre_url: 'https://attack.mitre.org/tactics/TA0011'
			}
		],
		techniques: [
			{
				name: 'Ingress Tool Transfer',
				description: '<p>Adversaries may transfer tools.</p>',
				external_id: 'T1105',
				mitre_url: 'https://attack.mitre.org/techniques/T1105'
			}
		],
		threat_hunting: {
			incident_report_guid: scene.die.guid(),
			incident_hunt_guid: scene.die.guid(),
			incident_id: 4200 + scene.die.int(600),
			incident_title: 'Remote access tool after a phishing mail',
			incident_summary: `A document opened on ${host.hostname} started a remote access tool that talks to ${commandServer}.`,
			incident_remediation: 'Isolate the computers named here and reset the credentials of their users.',
			severity: 'critical'
		}
	}
}
