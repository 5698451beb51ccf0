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
	"strings"
	"time"
)

// archive writes the files into the archive for a target, below a directory of its name. It returns
// the archive's name.
func archive(out string, of origin, t target, files []file) (string, error) {
	name := archiveName(of, t)
	top, zipped := strings.CutSuffix(name, ".zip")
	write := writeZip
	if !zipped {
		top, write = strings.TrimSuffix(name, ".tar.gz"), writeTar
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f file) bool { return f.archive == "" })
	var b bytes.Buffer
	if err := write(&b, top+"/", files, of.date); err != nil {
		return "", err
	}
	return name, os.WriteFile(filepath.Join(out, name), b.Bytes(), 0o666)
}

// archiveName returns the name of the archive for a target: a zip for Windows, else a tar.gz.
func archiveName(of origin, t target) string {
	ext := ".tar.gz"
	if t.os == "windows" {
		ext = ".zip"
	}
	return fmt.Sprintf("srpatch-%s-%s-%s%s", of.number(), t.os, t.arch, ext)
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
