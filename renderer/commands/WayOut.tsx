import {useUi} from '#state/ui.tsx'
import {Link, type LinkProps} from '#ui/Button.tsx'

/** A link out of a dialog: those of the frame would stay over the screen that it leads to. */
export function WayOut({onPress, ...link}: LinkProps) {
	const leaveDialogs = useUi(ui => ui.leaveDialogs)
	const leave = () => {
		onPress?.()
		leaveDialogs()
	}
	return <Link {...link} onPress={leave} />
}
