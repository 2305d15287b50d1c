/** The stories of the sandbox's tenant, followed from each of their detections. */

import {causeOf, mainStory, storyOf, type AttackStory} from '#shared/attack-story.ts'
import type {Trajectory, TrajectoryPoint} from '#contract/insight.ts'
import {startSandbox} from '#sandbox/server.ts'

import {systemClock as clock} from '#base/system.ts'
import {getComputers, getTrajectory} from '#core/service/api/endpoints/computers.ts'
import {testClient} from '#core/service/api/testing/client.ts'
import {draw, oldestFirst} from './trajectories.ts'

async function trajectoriesOf(...hosts: string[]) {
	const sandbox = await startSandbox({port: 0, computers: 300, seed: 'e2e'})
	const client = testClient(sandbox.url, {...sandbox, apiKey: async () => sandbox.apiKey, clock})
	const read = async (hostname: string) => {
		const [found] = (await getComputers(client, {hostname: [hostname]})).records
		const guid = found?.connector_guid ?? ''
		const {data} = await getTrajectory(client, {connector_guid: guid, limit: 5000})
		const reading = {guid, hostname, query: '', readAt: '', cut: false}
		return draw(reading, oldestFirst(data.events, Math.floor(Date.now() / 1000)))
	}
	const all = await Promise.all(hosts.map(read))
	await Promise.all([client.stop(), sandbox.stop()])
	return all
}

const short = ({steps}: AttackStory) => steps.map(({role, name}) => `${role} ${name}`)
const last = (trajectory: Trajectory | undefined, fits: (point: TrajectoryPoint) => boolean) => {
	const found = trajectory?.points.findLast(fits)
	if (trajectory === undefined || found === undefined) throw new Error('no such event')
	return {trajectory, found, story: storyOf(trajectory, found)}
}

const isAlarm = ({shape, detectionId}: TrajectoryPoint) => shape === 'detect' && detectionId !== null

test('each detection leads along parents to the document, and down to the address', async () => {
	const [patient, recipient, server] = await trajectoriesOf('FIN-LT-0231', 'HR-LT-0042', 'FIN-SRV-014')
	const {trajectory, found, story} = last(patient, ({text}) => /quarantine failure/i.test(text))
	expect(story && short(story)).toMatchInlineSnapshot(`
		[
		  "document Invoice_2291.docm",
		  "program WINWORD.EXE",
		  "shell powershell.exe",
		  "address 203.0.113.66:443",
		  "detection WINWORD.EXE",
		  "payload updchk.exe",
		  "payload updchk.exe",
		  "detection Cloud IOC: W32.PowershellDownload.ioc (TA0002, TA0011, T1059.001, T1105)",
		  "address 203.0.113.66:443",
		  "detection updchk.exe",
		  "detection updchk.exe",
		  "failed updchk.exe",
		]
	`)
	expect(story).toMatchObject({origin: {role: 'document', inferred: true}})
	expect(story?.mitre).toEqual(['TA0002', 'TA0011', 'T1059.001', 'T1105'])
	// From the alarm to the file's arrival, to the shell, to the program, to the document.
	const names: string[] = []
	let at: TrajectoryPoint | undefined = causeOf(trajectory, found)
	for (; at !== undefined && names.length < 9; at = causeOf(trajectory, at)) names.push(at.text)
	expect(names).toMatchInlineSnapshot(`
    [
      "updchk.exe was started by powershell.exe",
      "updchk.exe was created by powershell.exe",
      "powershell.exe was started by WINWORD.EXE: powershell.exe -nop -w hidden -enc SQBFAFgAIAAoAE4AZQB3AC0A",
      "WINWORD.EXE was started by explorer.exe",
      "Invoice_2291.docm was created by an unknown process",
    ]
  `)
	const alarms = trajectory.points.filter(({shape}) => shape === 'detect')
	expect(alarms.map(point => storyOf(trajectory, point)?.origin.name)).toEqual(Array(5).fill('Invoice_2291.docm'))
	const hunted = last(patient, ({type}) => /hunting/i.test(type)).story
	expect(hunted && short(hunted)).toContain('payload updchk.exe')
	expect(mainStory(trajectory)?.steps.map(({role}) => role)).toEqual(expect.arrayContaining(['document', 'shell', 'payload', 'address']))
	const told = [recipient, server].map(other => other && storyOf(other, last(other, isAlarm).found))
	expect(told.map(each => each && short(each).join(' > '))).toMatchInlineSnapshot(`
		[
		  "document Invoice_2291.docm > stopped Invoice_2291.docm > detection Invoice_2291.docm",
		  "address 10.20.16.11:53762 > payload updchk.exe > payload updchk.exe > address 203.0.113.66:443 > detection Cloud IOC: W32.RemoteServiceCreated.ioc (TA0008, T1021.002, T1569.002) > stopped updchk.exe > detection updchk.exe",
		]
	`)
	expect(told.map(each => each?.fromOutside)).toEqual([true, true])
})
