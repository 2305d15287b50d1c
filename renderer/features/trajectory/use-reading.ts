import { useQuery } from '@tanstack/react-query';

import type { Trajectory } from '#shared/contract/sight.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useReadings, type Attempt } from './use-readings.ts';

export interface Reading extends Attempt {
	/** `undefined` while it is not known whether there is one. */
	readonly trajectory: Trajectory | null | undefined;
	/** Asks the service: one call. */
	read(query: string): void;
}

/** The last drawing of a computer and query, and the way to a new one. A failure leaves the old one. */
export function useReading(guid: string, query: string): Reading {
	const { queries } = useApi();
	const { id: connection } = useActiveConnection();
	const stored = useQuery(queries.trajectory.stored.queryOptions({ input: { connection, guid, query } }));
	const readings = useReadings();
	const { underway, error } = readings.of(guid, query);
	return {
		trajectory: stored.data,
		underway,
		error: error ?? (stored.error === null ? null : asCordonError(stored.error)),
		read: (asked) => void readings.read(guid, asked),
	};
}
