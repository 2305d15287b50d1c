import type {JoinedRow} from '#shared/contract/log.ts'

export function keyOf(row: JoinedRow): string {
	return row.kind === 'own' ? row.entry.id : row.record.key
}
