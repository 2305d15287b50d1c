/** The data of a computer dragged onto a group. Dropping only opens the move dialog. */

const mediaType = 'application/x-cordon-computer'

export interface DraggedComputer {
	guid: string
	hostname: string
}

export function putComputer({guid, hostname}: DraggedComputer, transfer: DataTransfer) {
	transfer.setData(mediaType, JSON.stringify({guid, hostname}))
	transfer.setData('text/plain', hostname)
	transfer.effectAllowed = 'move'
}

export function hasComputer(transfer: Pick<DataTransfer, 'types'>) {
	return transfer.types.includes(mediaType)
}

/** `null` for other drops. */
export function computerIn(transfer: Pick<DataTransfer, 'getData'>): DraggedComputer | null {
	try {
		// Whatever it is: `null` is thrown at.
		const {guid, hostname} = JSON.parse(transfer.getData(mediaType)) as Record<string, unknown>
		return typeof guid === 'string' && typeof hostname === 'string' ? {guid, hostname} : null
	} catch {
		return null
	}
}
