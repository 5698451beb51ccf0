package version

import (
	"runtime/debug"
	"testing"
)

func TestBuildsSayWhatTheyAre(t *testing.T) {
	module := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Path: "github.com/srpatch/srpatch", Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	for name, c := range map[string]struct {
		info             *debug.BuildInfo
		released, commit string
		want             Build
	}{
		"go install at a version": {module("v0.1.0"), "", "", Build{Version: "v0.1.0"}},
		"a checkout": {module("v0.1.1-0.20261123064328-236c92e0a1b2",
			"vcs.revision", "236c92e", "vcs.modified", "false"), "", "",
			Build{Version: "v0.1.1-0.20261123064328-236c92e0a1b2", Commit: "236c92e"}},
		"a checkout with changes": {module("v0.1.0+dirty", "vcs.revision", "236c92e",
			"vcs.modified", "true"), "", "", Build{Version: "v0.1.0+dirty", Commit: "236c92e", Dirty: true}},
		"sources without git": {module("(devel)"), "", "", Build{Version: "(devel)"}},
		"a release": {module("(devel)"), "v0.1.0", "236c92e",
			Build{Version: "v0.1.0", Commit: "236c92e"}},
		"a distribution in its own git": {module("v9.9.9", "vcs.revision", "ffffff", "vcs.modified",
			"true"), "v0.1.0", "", Build{Version: "v0.1.0"}},
		"no record":                    {nil, "", "", Build{Version: "(devel)"}},
		"a test, which has no version": {module(""), "", "", Build{Version: "(devel)"}},
		"a release, no record":         {nil, "v0.1.0", "", Build{Version: "v0.1.0"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := of(c.info, c.released, c.commit); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
