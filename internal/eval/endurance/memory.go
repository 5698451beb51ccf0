package endurance

import (
	"fmt"
	"os"
	"strings"
)

// memory is what a process has of it, and the most that it had, in bytes; 0 where the system does not tell.
func memory(pid int) (is, peak int64) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(status)) {
		var n int64
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &n); err == nil {
			is = n << 10
		}
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &n); err == nil {
			peak = n << 10
		}
	}
	return is, peak
}
