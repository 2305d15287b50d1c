/** `npm run bench -- volume`: ten gigabytes each way through the forwarding server, and its growth meanwhile. */
import {truncateSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

import {markdown} from '../measure.ts'
import {openLab, type Lab} from './lab.ts'
import {transferOf, type Transfer} from './load.ts'
import {startSubjects, type Subject} from './subjects.ts'

const gigabytes = 10
const growthAllowedMb = 100

export async function benchVolume() {
	const lab = await openLab()
	const big = join(lab.folder, 'files', 'big')
	writeFileSync(big, '')
	truncateSync(big, gigabytes * 2 ** 30)
	const subjects = await startSubjects(lab, ['cordon'])
	try {
		const [subject] = subjects
		if (subject === undefined) throw new Error('The forwarding server did not start.')
		return await measured(subject, lab, big)
	} finally {
		for (const subject of subjects) await subject.stop()
		await lab.stop()
	}
}

async function measured(subject: Subject, lab: Lab, big: string) {
	const base = `https://127.0.0.1:${subject.port}/instance/execute`
	const size = gigabytes * 1024
	const rows: (readonly [string, Transfer])[] = []
	for (const version of ['--http1.1', '--http2']) {
		const down = [version, '-o', '/dev/null', `${base}/bench/big`]
		const up = [version, '-T', big, '-o', join(lab.folder, 'answer'), `${base}/sink/put`]
		rows.push([`download ${version.slice(2)}`, await transferOf(subject, size, down)])
		rows.push([`upload ${version.slice(2)}`, await transferOf(subject, size, up)])
	}
	const cells = rows.map(([name, {rate, growth}]) => [name, rate.toFixed(0), growth.toFixed(0)])
	const text = markdown(`${gigabytes} GB | MB/s | growth, MB`, cells)
	if (rows.some(([, {growth}]) => growth > growthAllowedMb)) throw new Error(`It grew too much:\n${text}`)
	return text
}
