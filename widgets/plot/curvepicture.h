// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/result.h"

#include <QByteArray>
#include <QSizeF>
#include <QString>

#include <memory>

class QIODevice;

namespace trainyard
{

class CurvePlot;

// A picture of a plot, for a file or a page of text: the same lines in the light theme, with the title, the name of
// the axis along and, of several lines, a legend, which comes on top of the height. The plot on the screen stays as it
// is, and nothing of the pointer is in the picture. GUI thread only.
class CurvePicture
{
public:
    static constexpr int scale = 3; // of pixels: 288 dots per inch

    // Takes the plot as it is now. The size is that of the picture without its legend.
    CurvePicture(const CurvePlot &of, const QSizeF &millimetres);
    ~CurvePicture();
    // .png, .pdf or .svg by its name. The file is written as a whole or stays as it is. Error: file.unwritable {file,
    // reason}.
    Result<void> save(const QString &file);
    QByteArray svg(); // empty when it could not be drawn

private:
    void addTexts();
    void addLegend();
    bool paintSvg(QIODevice *device);
    QByteArray byLibrary(bool isPdf); // likewise

    std::unique_ptr<CurvePlot> m_drawn;
};

} // namespace trainyard
