import { CordonError } from '#shared/contract/errors.ts';

import { getFileListFiles } from '#core/service/api/endpoints/file-lists.ts';
import type { Connections } from '#core/service/connections/types.ts';
import type { FetchFileList } from './list/sources.ts';

/** Hashes of a file list of the service; a listing that did not come whole is none. */
export function fileListsOf(connections: Pick<Connections, 'find' | 'client'>): FetchFileList {
	return async function* fetchFileList(connection, guid, signal) {
		const client = connections.client(connections.find(connection).id);
		const listing = await getFileListFiles(client, { file_list_guid: guid }, { all: true, signal });
		if (!listing.complete) throw listing.error ?? new CordonError('incomplete');
		for (const { sha256 } of listing.records) yield sha256.toLowerCase();
	};
}
