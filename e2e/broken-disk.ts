import {join} from 'node:path'
// oxlint-disable-next-line cordon/imports -- a broken disk is put in the program's way, which no program does
import {DatabaseSync} from 'node:sqlite'

/** While `work` runs, the database of a profile refuses `statements`, such as `INSERT ON setting`. */
export async function onBrokenDisk(profile: string, name: string, statements: string, work: () => Promise<void>) {
	const database = new DatabaseSync(join(profile, name), {timeout: 5000})
	database.exec(`CREATE TRIGGER refuse BEFORE ${statements} BEGIN SELECT RAISE(ABORT, 'the disk is broken'); END`)
	try {
		await work()
	} finally {
		database.exec('DROP TRIGGER refuse')
		database.close()
	}
}
