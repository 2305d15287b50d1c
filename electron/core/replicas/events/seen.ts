import type { Database } from '#core/store/database.ts';
import type { SeenFile } from './types.ts';

/** Newest events of a file that are looked at. */
const mostEvents = 2000;

/** `sha256`: of the file, its parent or archive member; names and dispositions are those of events of the file itself. */
export function seenFile(database: Database, sha256: string): SeenFile {
  const hash = sha256.toLowerCase();
  const rows = database.all<{
    readonly guid: string | null;
    readonly name: string | null;
    readonly disposition: string | null;
    readonly sha256: string | null;
  }>(
    `SELECT e.guid, e.file_name AS name, e.disposition, e.sha256 FROM
      (SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?) m JOIN event e ON e.id = m.id`,
    `hash : "${hash.replaceAll(/[^0-9a-f]/g, '')}"`,
    mostEvents,
  );
  const own = rows.filter((row) => row.sha256 === hash);
  return {
    computers: distinct(rows.map(({ guid }) => guid)).length,
    names: distinct(own.map(({ name }) => name)),
    dispositions: distinct(own.map(({ disposition }) => disposition)),
  };
}

function distinct(texts: readonly (string | null)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== null))];
}
