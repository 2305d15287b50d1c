import {useSetSettings} from '#api/hooks.tsx'
import {useUi} from '#state/ui.tsx'

export function useChooseConnection(): (id: string) => void {
	const setActive = useUi(ui => ui.setActiveConnection)
	const setSettings = useSetSettings()
	return id => {
		setActive(id)
		setSettings({activeConnection: id})
	}
}
