// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QTextBrowser>

#include <optional>

namespace trainyard
{

// A few lines of a log at their full height: each with its number, which is a link, and wrapped within words if
// necessary. Lines that only point at the line above are left out.
class LogExcerpt : public QTextBrowser
{
    Q_OBJECT
public:
    explicit LogExcerpt(QWidget *parent = nullptr);
    // `marked` is the line that it is about.
    void setLines(qint64 firstLine, const QStringList &lines, std::optional<qint64> marked = std::nullopt);
    void setCodeLinks(bool on); // the places in code that lines name are links
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

Q_SIGNALS:
    void lineClicked(qint64 line); // from 0
    void codeClicked(const QString &file, int line); // as a line names it

protected:
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    bool focusNextPrevChild(bool next) override;

private:
    void write();
    qint64 m_firstLine = 0;
    QStringList m_lines;
    std::optional<qint64> m_marked;
    bool m_hasCodeLinks = false;
};

} // namespace trainyard
