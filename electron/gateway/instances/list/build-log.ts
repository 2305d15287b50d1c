/** What a build did with each value, in the form of the original: `Action | Indicator | Raw Indicator | Reason`. */
import type { FileHandle } from 'node:fs/promises';

export type Action = 'Added' | 'Removed' | 'Modified' | 'Dropped' | 'Note';

export interface BuildLog {
	line(action: Action, value: string, raw: string, reason: string): void;
	/** To be awaited now and then: writes what has gathered. */
	settle(): Promise<void>;
	/** Says how many lines were left out. Does not close the file. */
	end(): Promise<void>;
}

/** A source of nothing but garbage must not fill the disk with the telling of it. */
const mostLines = 100_000;

export function createBuildLog(file: FileHandle, most = mostLines): BuildLog {
	let open = 'Action | Indicator | Raw Indicator | Reason\n';
	const written = new Map<Action, number>();

	function line(action: Action, value: string, raw: string, reason: string): void {
		const lines = (written.get(action) ?? 0) + 1;
		written.set(action, lines);
		if (lines <= most) open += `${action} | ${plain(value)} | ${plain(raw)} | ${reason}\n`;
	}

	async function write(): Promise<void> {
		const text = open;
		open = '';
		await file.appendFile(text);
	}

	async function end(): Promise<void> {
		for (const [action, lines] of written) {
			if (lines > most) open += `Note |  |  | ${lines - most} more lines "${action}" are not shown\n`;
		}
		await write();
	}

	return { line, settle: async () => (open.length > 65_536 ? write() : undefined), end };
}

/** One line, of a length that can be read. */
function plain(text: string): string {
	// eslint-disable-next-line no-control-regex -- a control character would end or hide the line
	const clean = text.replaceAll(/[\u0000-\u001f\u007f]/g, '?');
	return clean.length > 300 ? `${clean.slice(0, 300)}…` : clean;
}
