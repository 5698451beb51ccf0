package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// archive writes the archive for a target, with the files in a directory of the same name. It
// returns the archive's name.
func archive(out string, of origin, t target, files []file) (string, error) {
	top, ext := archiveName(of, t)
	files = slices.DeleteFunc(slices.Clone(files), func(f file) bool { return f.archive == "" })
	return packed(out, top+ext, top+"/", files, of.date)
}

// packed writes the files, each below top, into the archive named in out, and returns its name. All
// but zip files and wheels are compressed tar files.
func packed(out, name, top string, files []file, date time.Time) (string, error) {
	write := writeTar
	if ext := filepath.Ext(name); ext == ".zip" || ext == ".whl" {
		write = writeZip
	}
	var b bytes.Buffer
	if err := write(&b, top, files, date); err != nil {
		return "", err
	}
	return name, os.WriteFile(filepath.Join(out, name), b.Bytes(), 0o666)
}

// archiveName returns the name of a target's archive in two parts: the name of the directory in it,
// and the extension, .zip for Windows and .tar.gz otherwise.
func archiveName(of origin, t target) (top, ext string) {
	top, ext = fmt.Sprintf("srpatch-%s-%s-%s", of.number(), t.os, t.arch), ".tar.gz"
	if t.os == "windows" {
		ext = ".zip"
	}
	return top, ext
}

func writeTar(to io.Writer, top string, files []file, date time.Time) error {
	zipped, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(zipped)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Name: top + f.archive, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: date, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return zipped.Close()
}

func writeZip(to io.Writer, top string, files []file, date time.Time) error {
	w := zip.NewWriter(to)
	for _, f := range files {
		header := &zip.FileHeader{Name: top + f.archive, Method: zip.Deflate, Modified: date}
		header.SetMode(f.mode)
		part, err := w.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := part.Write(f.data); err != nil {
			return err
		}
	}
	return w.Close()
}
