import {useEffect, useState} from 'react'

const calmMs = 1000

/** False at the start, when questions about everything would delay the first rows. */
export function useCalm() {
	const [isCalm, setCalm] = useState(false)
	useEffect(() => {
		const timer = setTimeout(() => setCalm(true), calmMs)
		return () => clearTimeout(timer)
	}, [])
	return isCalm
}
