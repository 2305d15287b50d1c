/** Saved views of the computers list, kept in the profile for each connection. */
import { savedViewSchema, type SavedView } from '#shared/model/saved-view.ts';

import type { Database } from '../store/database.ts';

export interface ViewStore {
  /** In the order in which they were made. */
  list(connection: string): readonly SavedView[];
  /** Adds it or takes the place of the one with its id. Returns all. */
  save(connection: string, view: SavedView): readonly SavedView[];
  remove(connection: string, id: string): readonly SavedView[];
}

export function openViews(database: Database): ViewStore {
  database.run('DELETE FROM saved_view WHERE connection NOT IN (SELECT id FROM connection)');
  const list = (connection: string) => readViews(database, connection);
  return {
    list,
    save: (connection, view) => {
      database.transaction(() => {
        for (const other of view.isDefault ? list(connection) : [])
          if (other.isDefault && other.id !== view.id) store(database, connection, { ...other, isDefault: false });
        store(database, connection, view);
      });
      return list(connection);
    },
    remove: (connection, id) => {
      database.run('DELETE FROM saved_view WHERE connection = ? AND id = ?', connection, id);
      return list(connection);
    },
  };
}

function store(database: Database, connection: string, view: SavedView): void {
  database.run(
    `INSERT INTO saved_view (connection, id, view) VALUES (?, ?, ?)
     ON CONFLICT (connection, id) DO UPDATE SET view = excluded.view`,
    connection,
    view.id,
    JSON.stringify(view),
  );
}

/** One that this version does not understand is left out, and stays where it is. */
function readViews(database: Database, connection: string): readonly SavedView[] {
  return database
    .all<{ readonly view: string }>('SELECT view FROM saved_view WHERE connection = ? ORDER BY number', connection)
    .flatMap(({ view }) => {
      const read = savedViewSchema.safeParse(JSON.parse(view));
      return read.success ? [read.data] : [];
    });
}
