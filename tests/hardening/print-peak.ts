/** Preloaded by `--import`: prints the peak resident memory in KiB when the process exits. */
process.on('exit', () => process.stderr.write(`peak ${process.resourceUsage().maxRSS} KiB\n`))
