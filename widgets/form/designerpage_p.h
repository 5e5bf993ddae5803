// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "widgets/form/designerpage.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/jobform.h"

#include <QApplication>

#include <functional>
#include <optional>

class QLabel;
class QPushButton;
class QSplitter;
class QTimer;

// The inside of a designer page: its parts (designerpage_parts.cpp), and how they follow each other
// (designerpage_follow.cpp). Only those two files and designerpage.cpp include this.
namespace trainyard
{

class ConversionReport;
class DocumentController;
class DocumentFile;
class ElidedLabel;
class InfoBar;
class MentionsBar;
class ProblemsView;
class SegmentedControl;
class YamlEditor;

// The parts of a document page, and what joins them. Large because each part is made, laid out and connected here, and
// nowhere else.
class DesignerPage::Private : public QObject
{
public:
    explicit Private(DesignerPage *page);
    const QString stayingNotice = QStringLiteral("stayingNotice"); // a topic of the bar of edits
    void buildBar();
    void buildActions();
    void load(const QByteArray &bytes);
    void handleSnapshot();
    void handleCaret(qsizetype offset);
    void handleFieldFocus(const YamlPath &path);
    void jump(ByteRange range);
    void jumpToPath(const YamlPath &path);
    void applyFix(const Fix &fix);
    void fillIn(const YamlPath &path, bool inForm);
    std::optional<Fix> firstFix();
    void updateTitle();
    void updateRunnable();
    void showChangedOnDisk(const QByteArray &bytes);
    void showRefused(const Error &error);
    void showNotice(const FormNotice &notice);
    void arrangeHalves();
    void updateLimits();
    void fitProblems();
    void focusDocument();
    void step(void (YamlEditor::*undoOrRedo)());
    void moveCaret(const std::function<void()> &move);
    void lockForm(const FormLock &wanted);
    void sayChecking();
    bool formHasFocus() const { return form->isAncestorOf(QApplication::focusWidget()); }
    bool eventFilter(QObject *watched, QEvent *event) override;

    DesignerPage *q;
    QWidget *bar;
    ElidedLabel *folder;
    ElidedLabel *name;
    QLabel *edited;
    SegmentedControl *modes;
    QPushButton *preview;
    InfoBar *fileBar;
    InfoBar *editBar;
    MentionsBar *mentions;
    ConversionReport *conversion;
    QSplitter *rows;
    QSplitter *halves;
    JobForm *form;
    YamlEditor *editor;
    ProblemsView *problems;
    DocumentController *controller;
    FormContext *context;
    DocumentFile *file;
    QTimer *caretTimer;
    QTimer *checkTimer; // until it is said that a text is being checked
    QTimer *calmTimer; // until a half-written text closes the form
    FormLock lock;

    QAction *undo;
    QAction *redo;
    QList<QAction *> actions;
    QAction *previewAction = nullptr;
    QString suggestedName;
    QString originFile;
    ViewMode mode = ViewMode::Both;
    QStringList blockers;
    bool runnable = false;
    bool problemsWanted = true;
    bool problemsSized = false; // by the user
    bool problemsFitted = false; // to what was there first
    bool movingCaret = false; // by a field that got the focus
    bool followsCaret = false; // the user has gone somewhere in the text, and the form has not yet
    qsizetype placedCaret = -1; // where a new document has it, until it goes elsewhere
    bool movedByEdit = false; // the next move of the caret comes from a change of the text
    bool tooLarge = false;
    bool compareAnswered = false;
    bool saving = false;
};

} // namespace trainyard
