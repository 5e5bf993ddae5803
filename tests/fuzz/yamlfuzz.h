// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

// What must hold for any bytes. Called by the fuzz targets and, with the kept inputs, by an ordinary test.
namespace yamlfuzz
{

// Parses and checks that ranges lie inside the text and inside each other, and that paths lead back to their nodes.
void parse(const QByteArray &bytes);
// Parses and checks that what a node's range holds is that node, no more and no less, and where the bytes of each value
// stand.
void extent(const QByteArray &bytes);
// The first bytes choose a place, an operation and a text for it; the rest is the document. An edit that is not refused
// must do what it says and leave all else alone.
void edit(const QByteArray &bytes);
// The first bytes choose a name; the rest is a job. Renamed and renamed back, the values are those of before.
void rename(const QByteArray &bytes);

} // namespace yamlfuzz
