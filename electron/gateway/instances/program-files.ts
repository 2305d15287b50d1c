/** Which programs a forwarding server without a database started, so that the next one finds those of one that was killed. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { isAlive, ownIdentity, type ProcessIdentity } from '#core/store/process-identity.ts';
import { endOrphan } from './orphans.ts';

const identitySchema = z.object({ pid: z.number().int().positive(), started: z.string() });
const fileSchema = z.object({ owner: identitySchema, programs: z.record(z.string(), identitySchema) });
type Content = z.infer<typeof fileSchema>;

export interface ProgramFile {
	/** A program was started, or ended (`undefined`). */
	put(instance: string, identity: ProcessIdentity | undefined): void;
	/** With nothing running any more. */
	remove(): void;
}

/** One file for each server: several may share the folder. Nothing is written before there is something to note. */
export function openProgramFile(folder: string, onTrouble: (message: string, error?: unknown) => void): ProgramFile {
	const path = join(folder, `${process.pid}.json`);
	const content: Content = { owner: ownIdentity(), programs: {} };
	return {
		put(instance, identity) {
			if (identity === undefined) delete content.programs[instance];
			else content.programs[instance] = identity;
			try {
				mkdirSync(folder, { recursive: true, mode: 0o700 });
				writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
				renameSync(`${path}.new`, path);
			} catch (error) {
				onTrouble(
					'Which programs were started cannot be noted: if this server is killed, they are left behind.',
					error,
				);
			}
		},
		remove: () => rmSync(path, { force: true }),
	};
}

/** Ends what servers left behind that are gone, and forgets it; returns what to tell. */
export async function endLeftBehind(folder: string, patienceMs = 2000): Promise<readonly string[]> {
	const told = await Promise.all(filesIn(folder).map((path) => endThoseOf(path, patienceMs)));
	return told.flat();
}

async function endThoseOf(path: string, patienceMs: number): Promise<readonly string[]> {
	const content = readContent(path);
	if (content !== undefined && isAlive(content.owner)) return [];
	const programs = Object.values(content?.programs ?? {});
	const told = await Promise.all(programs.map((program) => endOrphan(program, patienceMs)));
	rmSync(path, { force: true });
	return told.flatMap((text) => text ?? []);
}

function filesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [join(folder, name)] : []));
	} catch {
		return [];
	}
}

/** `undefined`: it says nothing that can be read. */
function readContent(path: string): Content | undefined {
	try {
		return fileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
	} catch {
		return undefined;
	}
}
