package verify

import (
	"errors"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// runGroup runs a command in a job of its own, which ends with srpatch at the latest. When ctx is
// done, and when the command has ended, what is left of the job is killed.
func runGroup(cmd *exec.Cmd) error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(job)
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{
			LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
		},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		return err
	}
	cmd.Cancel = func() error { return errors.Join(windows.TerminateJobObject(job, 1), cmd.Process.Kill()) }
	if err := cmd.Start(); err != nil {
		return err
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false,
		uint32(cmd.Process.Pid))
	if err == nil { // else it has ended already
		_ = windows.AssignProcessToJobObject(job, process) // without a job the command itself still ends
		_ = windows.CloseHandle(process)
	}
	return cmd.Wait()
}
