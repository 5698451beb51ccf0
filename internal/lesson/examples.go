package lesson

import "strings"

// What the examples change.
const (
	before = "def area(self):\n    return self.w + self.h\n"
	after  = "def area(self):\n    return self.w * self.h\n"
)

// examples are an edit, a new file, a file deleted and one moved, in a format that is not one of
// markers; "" for what is taught as
// in any other format, or for a new file that is an edit of one.
func examples(format string) (all [4]string) {
	switch format {
	case "v4a":
		return [4]string{`*** Begin Patch
*** Update File: path/to/file.py
 def area(self):
-    return self.w + self.h
+    return self.w * self.h
*** End Patch
`, `*** Begin Patch
*** Add File: path/to/new.py
+SIDES = 4
*** End Patch
`}
	case "diff":
		return [4]string{`diff --git a/path/to/file.py b/path/to/file.py
--- a/path/to/file.py
+++ b/path/to/file.py
@@ @@
 def area(self):
-    return self.w + self.h
+    return self.w * self.h
`, `diff --git a/path/to/new.py b/path/to/new.py
new file mode 100644
--- /dev/null
+++ b/path/to/new.py
@@ @@
+SIDES = 4
`, `diff --git a/path/to/old.py b/path/to/old.py
deleted file mode 100644
`, `diff --git a/path/to/name.py b/path/to/better_name.py
rename from path/to/name.py
rename to path/to/better_name.py
`}
	case "json":
		return [4]string{`{"path": "path/to/file.py", "old_string": "def area(self):\n    return self.w + self.h\n", "new_string": "def area(self):\n    return self.w * self.h\n"}
`, `{"command": "create", "path": "path/to/new.py", "file_text": "SIDES = 4\n"}
`}
	case "roo-xml":
		return [4]string{`<apply_diff>
<args>
<file>
  <path>path/to/file.py</path>
  <diff>
    <content><![CDATA[
<<<<<<< SEARCH
` + before + `=======
` + after + `>>>>>>> REPLACE
]]></content>
  </diff>
</file>
</args>
</apply_diff>
`}
	case "zed":
		return betweenTags("old_text", "new_text")
	case "sweep":
		return betweenTags("original_code", "new_code")
	case "tool-xml":
		return [4]string{`<invoke name="Edit">
<parameter name="file_path">path/to/file.py</parameter>
<parameter name="old_string">
` + before + `</parameter>
<parameter name="new_string">
` + after + `</parameter>
</invoke>
`, `<invoke name="Write">
<parameter name="file_path">path/to/new.py</parameter>
<parameter name="content">
SIDES = 4
</parameter>
</invoke>
`}
	}
	return all
}

// betweenTags are the examples of a format that has both sides of an edit between tags.
func betweenTags(old, new string) [4]string {
	return [4]string{"<" + old + ` file_path="path/to/file.py">` + "\n" + before + "</" + old + ">\n<" + new + ">\n" + after + "</" + new + ">\n"}
}

// creation is the example of an edit with a new file in the place of the file.
func creation(edit string) string {
	return strings.NewReplacer("path/to/file.py", "path/to/new.py", before, "", after, "SIDES = 4\n").Replace(edit)
}
