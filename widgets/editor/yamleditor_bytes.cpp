// SPDX-License-Identifier: GPL-3.0-or-later
// The text of the editor as bytes, and whether it is saved.
#include "model/protocol/yamllayout.h"
#include "widgets/editor/codeview.h"
#include "widgets/editor/yamleditor.h"

#include <cstring>

namespace trainyard
{
namespace
{

// Scintilla lays out whole lines: one of many megabytes would stop the program at every key.
constexpr qsizetype longestLine = qsizetype(128) << 10;
constexpr qsizetype shownOfLongLine = qsizetype(4) << 10;

QByteArray withoutLongLines(const QByteArray &bytes)
{
    if (bytes.size() <= longestLine) {
        return bytes;
    }
    QByteArray shown;
    bool cut = false;
    for (qsizetype begin = 0; begin < bytes.size();) {
        const void *found = std::memchr(bytes.constData() + begin, '\n', size_t(bytes.size() - begin));
        const qsizetype end = found ? static_cast<const char *>(found) - bytes.constData() + 1 : bytes.size();
        if (end - begin > longestLine) {
            if (!cut) {
                shown = bytes.left(begin);
                cut = true;
            }
            shown += bytes.mid(begin, shownOfLongLine) + " ... (" + QByteArray::number(end - begin) + " bytes)\n";
        } else if (cut) {
            shown += bytes.mid(begin, end - begin);
        }
        begin = end;
    }
    return cut ? shown : bytes;
}

} // namespace

QByteArray YamlEditor::bytes() const { return isShortened() ? m_whole : m_view->allBytes(); }

qsizetype YamlEditor::byteCount() const { return isShortened() ? m_whole.size() : m_view->byteCount(); }

void YamlEditor::setBytes(const QByteArray &bytes)
{
    clearDiagnostics();
    // Colours and folds are for what can be a job; a larger text is still shown and searched.
    m_view->setStyled(bytes.size() <= (qsizetype(8) << 20));
    m_neverSaved = false;
    const QByteArray shortened = withoutLongLines(bytes);
    const bool readOnly = m_view->isReadOnly() && !isShortened();
    m_whole = shortened == bytes ? QByteArray() : bytes;
    m_back.clear();
    m_forward.clear();
    m_view->setIndentStep(layoutOf(bytes.left(qsizetype(1) << 16)).step);
    m_view->setAllBytes(isShortened() ? shortened : bytes);
    m_view->setReadOnly(readOnly || isShortened());
    setModifiedState();
}

void YamlEditor::applyEdits(const TextEdits &edits, Origin origin)
{
    m_view->applyEdits(edits, origin);
    if (origin == Origin::Disk) { // it may be another text altogether
        m_view->endLinesAs(m_view->allBytes());
    }
}

quint64 YamlEditor::revision() const { return m_view->revision(); }

bool YamlEditor::isModified() const
{
    return m_neverSaved || m_view->SendScintilla(QsciScintillaBase::SCI_GETMODIFY) != 0;
}

void YamlEditor::setSaved()
{
    m_neverSaved = false;
    endTyping();
    m_view->SendScintilla(QsciScintillaBase::SCI_SETSAVEPOINT);
    setModifiedState();
}

void YamlEditor::setNeverSaved()
{
    m_neverSaved = true;
    setModifiedState();
}

void YamlEditor::setModifiedState()
{
    if (m_modified != isModified()) {
        m_modified = !m_modified;
        Q_EMIT modifiedChanged(m_modified);
    }
}

} // namespace trainyard
