import {useRouter} from '@tanstack/react-router'

/** Goes to a path of this page that the host put together, search included. */
export function useOpen(): (path: string) => void {
	const {history} = useRouter()
	return path => history.push(path)
}
