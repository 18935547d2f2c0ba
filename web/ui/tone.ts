let context: AudioContext | undefined

/** Plays a short tone: high for success, low for an error. Does nothing in a browser that cannot. */
export function playTone(kind: 'good' | 'bad'): void {
  try {
    context ??= new AudioContext()
    const [oscillator, gain] = [context.createOscillator(), context.createGain()]
    const seconds = kind === 'good' ? 0.08 : 0.35
    oscillator.frequency.value = kind === 'good' ? 1_200 : 180
    oscillator.type = kind === 'good' ? 'sine' : 'square'
    gain.gain.value = 0.15
    oscillator.connect(gain).connect(context.destination)
    oscillator.start()
    oscillator.stop(context.currentTime + seconds)
  } catch {
    // The page says it in words too.
  }
}
